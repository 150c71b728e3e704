package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.GenerationPromoted;
import dev.laurel.schemas.command.LogCommand;
import dev.laurel.schemas.command.RulesetPublished;
import dev.laurel.schemas.key.TenantId;
import java.util.function.Function;
import tools.jackson.core.JsonParser;

/** Drafts of the log's own markers. */
sealed interface MarkerDraft extends CommandDraft<LogCommand> {

    /** Of {@link RulesetPublished}. */
    final class Publication implements MarkerDraft {
        private String tenant = "";
        private long version;

        @Override
        public boolean take(String field, JsonParser json) throws BadInputException {
            switch (field) {
                case "tenant" -> tenant = Fields.text(json, field, TenantId.MAX_LENGTH);
                case "version" -> version = Fields.integer(json, field, 1, Long.MAX_VALUE);
                default -> {
                    return false;
                }
            }
            return true;
        }

        @Override
        public LogCommand toCommand() throws BadInputException {
            if (version == 0) {
                throw BadInputException.invalid("version", "is required");
            }
            return new RulesetPublished(new TenantId(tenant), version);
        }
    }

    /** Of {@link GenerationPromoted}. */
    final class Promotion implements MarkerDraft {
        private int generation;

        @Override
        public boolean take(String field, JsonParser json) throws BadInputException {
            if (!field.equals("generation")) {
                return false;
            }
            generation = (int) Fields.integer(json, field, 2, Integer.MAX_VALUE);
            return true;
        }

        @Override
        public LogCommand toCommand() throws BadInputException {
            if (generation == 0) {
                throw BadInputException.invalid("generation", "is required");
            }
            return new GenerationPromoted(generation);
        }
    }

    /** Of a marker without fields. */
    record Bare(LogCommand marker) implements MarkerDraft {
        @Override
        public boolean take(String field, JsonParser json) {
            return false;
        }

        @Override
        public LogCommand toCommand() {
            return marker;
        }
    }

    /** Of one end of a bracket. */
    final class Hold implements MarkerDraft {
        private static final int MAX_LENGTH = 100;

        private final Function<String, LogCommand> marker;
        private String hold;

        Hold(Function<String, LogCommand> marker) {
            this.marker = marker;
        }

        @Override
        public boolean take(String field, JsonParser json) throws BadInputException {
            if (!field.equals("hold")) {
                return false;
            }
            hold = Fields.text(json, field);
            return true;
        }

        @Override
        public LogCommand toCommand() throws BadInputException {
            if (hold == null || hold.isEmpty() || hold.length() > MAX_LENGTH) {
                throw BadInputException.invalid("hold", "is required, 1 to " + MAX_LENGTH + " characters");
            }
            return marker.apply(hold);
        }
    }
}
