package dev.laurel.processors.delivery.message;

/** A message as it is sent: what {@link Rendering} makes of a template. */
public sealed interface Rendered {

    /** @param subject one line @param html a whole document @param text the same for those who read no HTML */
    record Email(String subject, String html, String text) implements Rendered {}

    /** @param title one line */
    record Push(String title, String body) implements Rendered {}

    /** No message comes of it. @param reason for the operator */
    record Refused(String reason) implements Rendered {}
}
