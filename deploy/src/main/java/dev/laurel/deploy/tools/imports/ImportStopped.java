package dev.laurel.deploy.tools.imports;

/** An import could not go on, with the reason in words for people; what it has done until then stays. */
final class ImportStopped extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ImportStopped(String reason) {
        super(reason);
    }
}
