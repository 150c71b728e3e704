package dev.laurel.query.question;

import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.schemas.key.TenantId;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Whose this is. Asked of all partitions: who writes to the log directly may make ids that say nothing of theirs. */
public record FindOwner(Kind kind, TenantId tenant,
        UUID id) implements Question.OfUsers<FindOwner.Answer> {

    /** @param user the key's bytes, null if it is nobody's */
    public record Answer(byte[] user) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        return together(here.readEach(partitions, reader -> new Answer(reader.owned().ownerOf(kind, tenant, id))));
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(
                parts.stream().map(Answer::user).filter(Objects::nonNull).findFirst().orElse(null));
    }
}
