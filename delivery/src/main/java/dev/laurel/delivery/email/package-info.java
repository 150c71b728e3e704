/**
 * Sends emails by SMTP, with links by which opens and clicks are counted. Must not know the queue or the stores.
 */
@NullMarked
package dev.laurel.delivery.email;

import org.jspecify.annotations.NullMarked;
