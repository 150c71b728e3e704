package dev.laurel.query.question;

import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.schemas.key.TenantId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What one read needs of partitions that may be on several nodes, as data: asked here, or as JSON of another node. This is the
 * whole of what nodes ask each other. The names of the records are what is on the wire; nodes of one deployment may be of
 * two versions for as long as it is rolled, so what a record says is not changed, a new one is added.
 *
 * @param <A> a record, written as JSON
 */
public sealed interface Question<A extends Record> permits Question.OfUsers, Question.OfBoard, Question.OfDeliveries {

    /** The questions by their names. */
    Map<String, Class<?>> BY_NAME = Stream.<Class<?>>of(OfUsers.class, OfBoard.class, OfDeliveries.class)
            .flatMap(kind -> Arrays.stream(kind.getPermittedSubclasses()))
            .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Function.identity()));

    Class<A> answerType();

    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * About users, in any number of partitions of the log.
     *
     * @param <A> what parts can be put together to
     */
    sealed interface OfUsers<A extends Record> extends Question<A>
            permits CountCompletions, CountTotals, CountBetterStreaks, FindOwner, FindPauses, ListOwned, ListStreaks,
            ListUsers, MeasureStreaks, SampleUsers, ShowBoosts, ShowPauses, ShowStreaks, ShowUser, SumYears {

        /** Which partitions have something to say. */
        default IntStream partitionsOf(LogLayout layout) {
            return IntStream.range(0, layout.partitions());
        }

        /**
         * What these partitions have to say.
         *
         * @throws dev.laurel.query.read.NotReadyException if one of them cannot be read here
         */
        A answer(Here here, List<Integer> partitions);

        /** Whether answering means going through all users, which takes as long as there are many. */
        default boolean goesThroughUsers() {
            return false;
        }

        /** One answer out of those of different partitions. */
        A together(List<A> parts);
    }

    /** About one leaderboard. */
    sealed interface OfBoard<A extends Record> extends Question<A> permits FindPlaces, FindStays, ShowRanking {

        TenantId tenant();

        /** Its number. */
        int board();

        A answer(BoardReads reads);
    }

    /** About deliveries to webhooks, in any number of partitions of the outbox; asked of delivery, not of nodes. */
    sealed interface OfDeliveries<A extends Record> extends Question<A> permits FindDeliveries, ShowDeliveries {

        /** Which partitions have something to say. @param count how many there are */
        IntStream partitionsOf(int count);

        /**
         * What these partitions have to say.
         *
         * @throws dev.laurel.query.read.NotReadyException if one of them cannot be read here
         */
        A answer(DeliveryPartitions here, List<Integer> partitions);

        /** One answer out of those of different partitions. */
        A together(List<A> parts);
    }
}
