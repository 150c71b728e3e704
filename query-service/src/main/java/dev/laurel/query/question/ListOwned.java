package dev.laurel.query.question;

import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The next things that users of each partition own, oldest first.
 *
 * @param group see {@link Entry}
 * @param partition null: all of them
 * @param after the last one that is known of that partition; null: from the first on
 * @param limit how many of a partition
 */
public record ListOwned(Kind kind, TenantId tenant, int group, Integer partition, Entry after,
        int limit) implements Question.OfUsers<ListOwned.Answer> {

    public record Answer(List<Part> parts) {}

    public record Part(int partition, List<Entry> entries) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public IntStream partitionsOf(LogLayout layout) {
        return partition == null ? IntStream.range(0, layout.partitions()) : IntStream.of(partition);
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        return new Answer(partitions.stream().map(asked -> new Part(asked,
                here.partitions().read(asked, reader -> reader.owned().next(kind, tenant, group, after, limit))))
                .toList());
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.parts().stream()).toList());
    }
}
