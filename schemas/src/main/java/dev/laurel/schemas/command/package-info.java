/**
 * Commands: the records of {@code laurel.commands}, as data. The package {@code serde} reads and writes them;
 * the core processes them.
 */
@NullMarked
package dev.laurel.schemas.command;

import org.jspecify.annotations.NullMarked;
