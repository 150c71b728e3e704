/**
 * Sends messages to users, at most once: send marks, templates, the log of messages. The services of the channels must not be here:
 * they implement {@link MessageSender} in packages of their own.
 */
@NullMarked
package dev.laurel.delivery.message;

import org.jspecify.annotations.NullMarked;
