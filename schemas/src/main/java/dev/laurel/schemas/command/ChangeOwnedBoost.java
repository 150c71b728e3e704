package dev.laurel.schemas.command;

import dev.laurel.schemas.key.TenantId;
import java.util.UUID;

/** {@link ChangeBoost} by the boost's id alone. */
public record ChangeOwnedBoost(TenantId tenant, UUID id, String system, BoostChange change) implements OwnedCommand {

    @Override
    public UserCommand of(UserChange owner) {
        return new ChangeBoost(owner, id, system, change);
    }
}
