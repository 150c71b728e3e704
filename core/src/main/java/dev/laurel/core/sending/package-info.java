/**
 * Whether a user gets a message, the life of a message and the delays of retries, as pure decisions. Must not read a clock, a store or the network.
 */
@NullMarked
package dev.laurel.core.sending;

import org.jspecify.annotations.NullMarked;
