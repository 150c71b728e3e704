package dev.laurel.deploy.broker;

/** The broker could not be started; the message is one line that an operator can act on. */
public final class BrokerStartFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokerStartFailed(String reason) {
        super(reason);
    }

    BrokerStartFailed(String reason, Throwable cause) {
        super(reason, cause);
    }
}
