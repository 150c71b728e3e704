package dev.laurel.schemas.command;

/** A command that is about one user and lies in that user's partition. */
public sealed interface UserCommand extends Command
        permits RecordEvent, IdentifyUser, CompleteAchievement, SetPreferences, GrantFreeze, PlanPause, DeletePause,
        RestoreStreak, GrantBoost, ChangeBoost, RevokeBoost, TestMessage, DropDeviceTokens, EraseUser {

    /** The user and what the command says about the user's own properties. */
    UserChange user();
}
