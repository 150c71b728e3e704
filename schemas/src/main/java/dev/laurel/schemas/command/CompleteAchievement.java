package dev.laurel.schemas.command;

/**
 * A client says that the user has done what an {@code api} achievement asks for.
 *
 * @param achievement its key
 */
public record CompleteAchievement(UserChange user, String achievement) implements UserCommand {}
