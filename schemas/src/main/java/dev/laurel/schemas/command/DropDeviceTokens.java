package dev.laurel.schemas.command;

import java.util.List;

/**
 * Takes push tokens off a known user, as far as they are still there: the services that carry push messages say that they are
 * gone for good. Tokens that the user has got since stay. Written by delivery.
 */
public record DropDeviceTokens(UserChange user, List<String> tokens) implements UserCommand {

    public DropDeviceTokens {
        tokens = List.copyOf(tokens);
    }
}
