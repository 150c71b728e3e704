package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.input.BadInputException;
import tools.jackson.core.JsonParser;

/** Collects the fields of a command of one type, in any order. Checks each field when it is read. */
interface CommandDraft<C extends Command> {

    /**
     * Reads a value, which is not null, from its first token, which is current, to its last.
     *
     * @return false, without reading, if this type of command has no such field
     */
    boolean take(String field, JsonParser json) throws BadInputException;

    /** @throws BadInputException naming a missing required field, or fields that contradict each other */
    C toCommand() throws BadInputException;
}
