/**
 * The life of a message to a user and the delays of retries, as pure decisions. Must not read a clock, a store or the network.
 */
@NullMarked
package dev.laurel.core.sending;

import org.jspecify.annotations.NullMarked;
