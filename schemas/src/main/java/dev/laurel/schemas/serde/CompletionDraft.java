package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.CompleteAchievement;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.key.UnicodeText;
import tools.jackson.core.JsonParser;

/** A draft of {@link CompleteAchievement}. */
final class CompletionDraft extends UserDraft<CompleteAchievement> {

    private static final int MAX_KEY_LENGTH = 255;

    private final boolean isBody;
    private String achievement;

    /** Of a record of the log. */
    CompletionDraft() {
        super(UserField.UPSERTS);
        this.isBody = false;
    }

    /** Of a body, whose path names the achievement. */
    CompletionDraft(String achievement) {
        super(UserField.UPSERTS);
        this.isBody = true;
        this.achievement = achievement;
    }

    @Override
    boolean takeOwn(String field, JsonParser json) throws BadInputException {
        if (isBody || !field.equals("achievement")) {
            return false;
        }
        achievement = Fields.text(json, field, MAX_KEY_LENGTH);
        return true;
    }

    @Override
    public CompleteAchievement toCommand() throws BadInputException {
        if (isBody && (achievement.length() > MAX_KEY_LENGTH || !UnicodeText.isWellFormed(achievement))) {
            // No key is like this, and the log would not take it.
            throw new BadInputException(Refusal.unknownAchievement(achievement));
        }
        return new CompleteAchievement(user(), required(achievement, "achievement", "and must be a string"));
    }
}
