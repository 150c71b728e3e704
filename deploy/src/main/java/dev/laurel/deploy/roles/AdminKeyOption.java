package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.access.ApiKey;

/** The admin key that a process is started with. */
public final class AdminKeyOption {

    private AdminKeyOption() {}

    /** @throws CommandFailed if it has not the form of a key */
    public static ApiKey checked(String text) {
        try {
            return ApiKey.givenAdminKey(text);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("--admin-key: " + e.getMessage(), e);
        }
    }
}
