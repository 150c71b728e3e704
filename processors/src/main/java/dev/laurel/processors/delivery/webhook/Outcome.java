package dev.laurel.processors.delivery.webhook;

/** What came of one attempt. */
sealed interface Outcome {

    /** The webhook has answered. @param error why that does not count, where the status does not say it; or null */
    record Answered(int status, String error, long durationMs) implements Outcome {

        boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    /** There was no answer. */
    record NoAnswer(String error, long durationMs) implements Outcome {}

    /** No attempt was made, and none will be: there is nobody to send it to. */
    record Dropped(String reason) implements Outcome {}

    /** It is our fault, and stops the task. */
    record Fault(Throwable cause) implements Outcome {}
}
