/**
 * Commands, effects and other records as JSON. Commands are read and written token by token, as their kinds describe them, so that a
 * message can tell their senders which field is wrong. One mapper reads and writes everything else.
 */
@NullMarked
package dev.laurel.schemas.serde;

import org.jspecify.annotations.NullMarked;
