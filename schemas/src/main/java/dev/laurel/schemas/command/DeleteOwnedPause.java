package dev.laurel.schemas.command;

import dev.laurel.schemas.key.TenantId;
import java.util.UUID;

/** {@link DeletePause} by the pause's id alone. */
public record DeleteOwnedPause(TenantId tenant, UUID id) implements OwnedCommand {

    @Override
    public UserCommand of(UserChange owner) {
        return new DeletePause(owner, id);
    }
}
