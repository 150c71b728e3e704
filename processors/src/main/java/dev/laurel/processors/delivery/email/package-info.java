/**
 * Sends emails by SMTP. Must not know the queue or the stores.
 */
package dev.laurel.processors.delivery.email;
