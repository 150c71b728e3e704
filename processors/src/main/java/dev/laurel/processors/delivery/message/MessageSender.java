package dev.laurel.processors.delivery.message;

/** A service that carries messages. Blocks on the virtual thread of the message; thread-safe. */
public interface MessageSender {

    SendResult send(OutMessage message) throws InterruptedException;
}
