package dev.laurel.processors.stream;

/** The names of the nodes that a command processor forwards to. */
public record Outlets(String effects, String outbox, String scores, String replies, String rejections) {}
