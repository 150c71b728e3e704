package dev.laurel.processors.stream;

/** The names of the nodes that a score processor forwards to. */
public record BoardOutlets(String effects, String replies, String floors, String outbox) {}
