/**
 * Commands, effects and other records as JSON. Commands, whose senders are told what is wrong with them,
 * are read and written token by token as their kinds describe them; everything else goes through one mapper.
 */
@NullMarked
package dev.laurel.schemas.serde;

import org.jspecify.annotations.NullMarked;
