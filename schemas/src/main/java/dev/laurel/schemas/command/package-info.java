/**
 * Commands: the records of {@code laurel.commands}, as data. How they are read and written is in {@code serde}; what they do is in the
 * core.
 */
@NullMarked
package dev.laurel.schemas.command;

import org.jspecify.annotations.NullMarked;
