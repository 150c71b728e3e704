package dev.laurel.schemas.command;

/**
 * From here on in this partition another generation is in force: it tells what happens, and the one before it tells nothing
 * more. State is not touched by it. Written in one transaction to all partitions, with the record of the generation.
 *
 * @param generation its number, 2 or more
 */
public record GenerationPromoted(int generation) implements LogCommand {}
