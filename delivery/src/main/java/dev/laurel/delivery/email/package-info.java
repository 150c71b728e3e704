/**
 * Sends emails by SMTP. Must not know the queue or the stores.
 */
@NullMarked
package dev.laurel.delivery.email;

import org.jspecify.annotations.NullMarked;
