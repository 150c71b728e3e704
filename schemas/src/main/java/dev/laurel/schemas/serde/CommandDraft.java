package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.input.BadInputException;
import tools.jackson.core.JsonParser;

/** The fields of one kind of command as they come by, in any order; checked one by one, put together at the end. */
interface CommandDraft<C extends Command> {

    /**
     * At the first token of the value of {@code field}, which is not null; leaves at its last.
     *
     * @return false if this kind has no such field: then the value was left untouched
     */
    boolean take(String field, JsonParser json) throws BadInputException;

    /** @throws BadInputException naming a required field that did not come, or fields that do not fit together */
    C toCommand() throws BadInputException;
}
