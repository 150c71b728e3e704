package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;

/**
 * Which records of the logs a restore leaves out: those of users who were erased later, and single ones that an operator names. It
 * sees all of them first, since an erasure is said behind what it erases.
 */
final class LeftOut {

    private static final Pattern PLACE = Pattern.compile("(.+)-(\\d{1,9})@(\\d{1,18})");

    private final boolean isErasedForgotten;
    private final Map<TopicPartition, Set<Long>> named = new HashMap<>();
    private final Map<TopicPartition, Erased> erased = new HashMap<>();

    /** Named places that no record was seen at. */
    private final Set<String> unseen = new TreeSet<>();

    /**
     * @param places as logs and rejections show them: {@code laurel.commands-3@1234}
     * @throws IllegalArgumentException if one is not of that form, or not of a log
     */
    LeftOut(boolean isErasedForgotten, List<String> places) {
        this.isErasedForgotten = isErasedForgotten;
        for (String place : places) {
            Matcher parts = PLACE.matcher(place);
            if (!parts.matches() || !Source.isLog(parts.group(1))) {
                throw new IllegalArgumentException("'" + place
                        + "' is no place in a log; one looks like laurel.commands-3@1234: topic, partition, offset");
            }
            named.computeIfAbsent(new TopicPartition(parts.group(1), Integer.parseInt(parts.group(2))),
                    _ -> new HashSet<>()).add(Long.parseLong(parts.group(3)));
            unseen.add(place);
        }
    }

    /** Called with every record of every log, in the order of each partition. @param partitions that the log has */
    void look(TopicPartition partition, int partitions, BackedUp record) {
        if (isErasedForgotten) {
            erased.computeIfAbsent(partition, _ -> new Erased(partition.partition(), partitions)).look(record);
        }
        if (isNamed(partition, record)) {
            unseen.remove(partition + "@" + record.offset());
        }
    }

    private boolean isNamed(TopicPartition partition, BackedUp record) {
        Set<Long> offsets = named.get(partition);
        return offsets != null && offsets.contains(record.offset());
    }

    /** @throws CommandFailed if a place was named that no record is at: a wrong one would be left out next time */
    void expectAllSeen() {
        if (!unseen.isEmpty()) {
            throw new CommandFailed("the backup has no record at " + String.join(", ", new ArrayList<>(unseen)));
        }
    }

    boolean covers(TopicPartition partition, BackedUp record) {
        Erased users = erased.get(partition);
        return users != null && users.covers(record) || isNamed(partition, record);
    }
}
