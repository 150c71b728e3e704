package dev.laurel.deploy.tools.doctor.facts;

import dev.laurel.processors.DeliveryConfig;
import dev.laurel.processors.store.BoardStores;
import dev.laurel.processors.store.LedgerStores;
import dev.laurel.processors.store.MessageStores;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.ThrottleStores;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * A Streams application of Laurel.
 *
 * @param id of the application, and so of its group
 * @param role what is to be started for it
 * @param source topic whose partitions its tasks are
 * @param stores each with a changelog
 */
public record Application(String id, String role, String source, List<String> stores) {

    /** Those of a deployment. */
    public static List<Application> of(GenerationFacts generations) {
        return Stream.concat(of(generations.inForce()).stream(),
                generations.unfinished().stream().filter(GenerationRecord::needsCopying).map(Application::copier))
                .toList();
    }

    /** Copies a log into a wider one. */
    private static Application copier(GenerationRecord wide) {
        return new Application(wide.generation().copier(), "node", wide.copiedFrom(), List.of());
    }

    /** Those that always run. @param generation that is in force */
    public static List<Application> of(Generation generation) {
        return List.of(
                new Application(generation.ledgerApplication(), "node", generation.log(),
                        names(LedgerStores.builders(false))),
                new Application(generation.boardsApplication(), "node", generation.scores(),
                        names(BoardStores.builders())),
                new Application(DeliveryConfig.APPLICATION_ID, "delivery", Topics.OUTBOX.name(),
                        Stream.of(List.of(StoreNames.WEBHOOKS), names(ThrottleStores.builders()),
                                names(MessageStores.builders())).flatMap(List::stream).sorted().toList()));
    }

    private static List<String> names(Set<StoreBuilder<?>> builders) {
        return builders.stream().map(StoreBuilder::name).sorted().collect(Collectors.toUnmodifiableList());
    }

    /** As Kafka Streams names it. */
    public String changelog(String store) {
        return id + "-" + store + "-changelog";
    }

    public List<String> changelogs() {
        return stores.stream().map(this::changelog).toList();
    }
}
