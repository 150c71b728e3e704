/**
 * Commands, effects and other records as JSON, and the serdes of the topics. Commands and effects are read and written token by
 * token, because they are on the hot path; everything else goes through one mapper.
 */
@NullMarked
package dev.laurel.schemas.serde;

import org.jspecify.annotations.NullMarked;
