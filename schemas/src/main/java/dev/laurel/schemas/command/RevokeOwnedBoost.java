package dev.laurel.schemas.command;

import dev.laurel.schemas.key.TenantId;
import java.util.UUID;

/** {@link RevokeBoost} by the boost's id alone. @param system as there, null for any */
public record RevokeOwnedBoost(TenantId tenant, UUID id, String system) implements OwnedCommand {

    @Override
    public UserCommand of(UserChange owner) {
        return new RevokeBoost(owner, id, system);
    }
}
