package dev.laurel.schemas.topic;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One fold of the log, with its own applications, changelogs, scores and directories. State is a function of
 * the log and the rules, so any number of generations may exist, of which one is in force. The names of the first
 * generation have no number; names are durable data.
 *
 * @param number 1, 2, …
 * @param log the topic that the generation folds
 */
public record Generation(int number, String log) {

    /** The first log of an instance. */
    static final String COMMANDS = "laurel.commands";

    static final String SCORES = "laurel.scores";
    private static final String LEDGER = "laurel-ledger";
    private static final String BOARDS = "laurel-boards";
    private static final String COPIER = "laurel-widen";
    private static final String REPLAY = "laurel-replay";
    private static final String CHANGELOG = "-changelog";
    private static final Pattern OTHERS = Pattern.compile("-g\\d+-");
    private static final Pattern NUMBERED =
            Pattern.compile("(?:laurel-(?:ledger|boards|replay)|laurel\\.(?:scores|replay-run))"
                    + "-g([1-9]\\d{0,9})(?:-.*-changelog)?");
    private static final int FIRST_REPORT = 1_000_000_000;

    /** The first generation of an instance. */
    public static final Generation FIRST = new Generation(1, COMMANDS);

    public Generation {
        if (number < 1) {
            throw new IllegalArgumentException("generations are numbered from 1, there is no " + number);
        }
    }

    /** The generation with this number that folds the first log. */
    public static Generation of(int number) {
        return new Generation(number, COMMANDS);
    }

    /**
     * A generation for a report, with names that no other generation has.
     * @param number random number, not negative
     */
    public static Generation ofReport(int number) {
        return of(Math.floorMod(number, Integer.MAX_VALUE - FIRST_REPORT) + FIRST_REPORT);
    }

    /** Whether the generation serves a report only and can never be in force. */
    public boolean isReport() {
        return number >= FIRST_REPORT;
    }

    private String named(String name) {
        return named(name, number);
    }

    private static String named(String name, int number) {
        return number == 1 ? name : name + "-g" + number;
    }

    /** A generation that folds a wider log of its own. */
    public static Generation wider(int number) {
        return new Generation(number, named(COMMANDS, number));
    }

    /** Whether this generation introduced its log. */
    public boolean bringsLog() {
        return number > 1 && log.equals(named(COMMANDS, number));
    }

    /** 1 for the first log of an instance, otherwise the number of the generation that introduced the log. */
    public int logNumber() {
        return numberOf(log);
    }

    /** @param log a topic, see {@link #logNumber} */
    public static int numberOf(String log) {
        String first = COMMANDS;
        if (log.equals(first)) {
            return 1;
        }
        String beginning = first + "-g";
        if (log.startsWith(beginning)) {
            try {
                return Integer.parseInt(log.substring(beginning.length()));
            } catch (NumberFormatException _) {
                // said below
            }
        }
        throw new IllegalArgumentException(log + " is no log of commands");
    }

    /** The application id of the copier, which copies the former log into this generation's log. */
    public String copier() {
        return named(COPIER);
    }

    /** The application id of the ledger: its group id and the prefix of its changelog names. */
    public String ledgerApplication() {
        return named(LEDGER);
    }

    /** The application id of the boards. */
    public String boardsApplication() {
        return named(BOARDS);
    }

    /** The topic of scores, from this generation's ledger to its boards. */
    public String scores() {
        return named(SCORES);
    }

    /** The group of the processes that take part in the replay of this number. */
    public String replayGroup() {
        return named(REPLAY);
    }

    /** The topic of what these processes have agreed on, and of their parts of the report. */
    public String replayTopic() {
        return named("laurel.replay-run");
    }

    /** The applications that fold this generation, which are consumer groups: of the shadow, later of the nodes. */
    public List<String> applications() {
        return List.of(ledgerApplication(), boardsApplication());
    }

    /** The consumer groups of this generation. */
    public List<String> groups() {
        if (isReport()) {
            return List.of(ledgerApplication(), boardsApplication(), replayGroup());
        }
        return bringsLog() ? List.of(ledgerApplication(), boardsApplication(), copier()) : applications();
    }

    /** The changelog topic of a store, as Kafka Streams names it. */
    public static String changelog(String application, String store) {
        return application + "-" + store + CHANGELOG;
    }

    /**
     * Whether this topic is a changelog of this generation. The names of the first generation are prefixes of all
     * others.
     */
    public boolean hasChangelog(String topic) {
        return groups().stream()
                .anyMatch(application -> topic.startsWith(application + "-")
                        && topic.endsWith(CHANGELOG)
                        && !OTHERS.matcher(topic.substring(application.length()))
                                .lookingAt());
    }

    /** The generation number in the name of a topic or group; 0 if the name has none. */
    public static int numberIn(String name) {
        Matcher matcher = NUMBERED.matcher(name);
        long number = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
        return number <= Integer.MAX_VALUE ? (int) number : 0;
    }
}
