package dev.laurel.schemas.command;

import dev.laurel.schemas.key.TenantId;
import java.util.UUID;

/**
 * Asks for something about a thing of a user's that is named by its id alone: who asks does not know the user. It lies in the
 * partition that {@link dev.laurel.schemas.topic.OwnedIds} reads off the id; there the owner is looked up, and the command goes
 * on as that user's own.
 */
public sealed interface OwnedCommand extends Command permits DeleteOwnedPause, ChangeOwnedBoost, RevokeOwnedBoost {

    /** Whose users are looked among. */
    TenantId tenant();

    /** Of the thing. */
    UUID id();

    /** The command of the user to whom the thing belongs. */
    UserCommand of(UserChange owner);
}
