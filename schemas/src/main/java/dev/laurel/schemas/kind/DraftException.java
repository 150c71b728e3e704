package dev.laurel.schemas.kind;

import java.util.List;

/** A value that cannot be read as a draft of its kind. The message names its place and the problem. */
public final class DraftException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param path names of fields and indexes such as {@code [0]}, from the outermost */
    DraftException(List<String> path, String problem) {
        super(String.join(".", path) + ": " + problem);
    }
}
