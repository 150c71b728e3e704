/** The records by which events and messages reach delivery: {@code laurel.outbox} and {@code laurel.send-marks}. */
@NullMarked
package dev.laurel.schemas.outbox;

import org.jspecify.annotations.NullMarked;
