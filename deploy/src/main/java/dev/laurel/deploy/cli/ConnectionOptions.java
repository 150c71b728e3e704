package dev.laurel.deploy.cli;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaAccess;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options with which every tool finds the instance that it works on: its server, its admin key, its Kafka and its data
 * folder. A value comes from the first of these that has it (docs/operations/deploying.md):
 *
 * <ol>
 * <li>its own option on the command line;
 * <li>the folder of a {@code --data-dir} on the command line;
 * <li>its variable in the environment;
 * <li>the folder of {@code LAUREL_DATA_DIR}, or {@value #DEFAULT_DIR};
 * <li>its default.
 * </ol>
 */
public final class ConnectionOptions {

    private static final String DEFAULT_DIR = "./laurel-data";
    private static final URI DEFAULT_URL = URI.create("http://127.0.0.1:8080");
    public static final String URL = "--url";
    private static final String KEY = "--key";
    private static final String ADMIN_KEY = AdminKeyOptions.NAME;
    public static final String KAFKA = "--kafka";
    private static final String DATA_DIR = "--data-dir";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = URL,
            paramLabel = "URL",
            split = ",",
            description = "Address of the server (default: that of the standalone in the data folder, or"
                    + " http://127.0.0.1:8080); 'doctor' takes several, separated by commas.")
    private List<URI> urls = List.of();

    @Option(
            names = KEY,
            paramLabel = "KEY",
            description =
                    "Admin key (default: LAUREL_KEY, LAUREL_ADMIN_KEY, or that of the standalone in the data folder)."
                            + " Other users of this machine can see it on the command line: use --key-file or LAUREL_KEY"
                            + " to avoid that.")
    private @Nullable String key;

    @Option(names = KEY + "-file", paramLabel = "FILE", description = "File with the admin key.")
    private @Nullable Path keyFile;

    @Mixin
    private AdminKeyOptions adminKey;

    @Mixin
    private TrustOption trust;

    @Option(
            names = KAFKA,
            paramLabel = "HOST:PORT,…",
            description = "Addresses of Kafka brokers (default: those of the standalone in the data folder).")
    private @Nullable String kafka;

    @Mixin
    private KafkaConfigOption kafkaConfig;

    @Option(
            names = DATA_DIR,
            paramLabel = "DIR",
            defaultValue = DEFAULT_DIR,
            description = "Data folder of a standalone on this machine (default: ${DEFAULT-VALUE}).")
    private Path dataDir;

    /** Returns the data folder, which need not exist. */
    public Path dataDir() {
        return dataDir;
    }

    /** Returns whether the data folder belongs to the instance: the default one may be another's if brokers are named. */
    private boolean isDataDirOfInstance() {
        return isOnCommandLine(DATA_DIR) || kafka == null;
    }

    /** Returns the clock of the instance, which is virtual if its data folder says so. */
    public InstantSource clock() {
        boolean isOfOther = isOnCommandLine(URL) && !isOnCommandLine(DATA_DIR) && !isOfSameInstance(folder().keptUrl());
        return isDataDirOfInstance() && !isOfOther ? folder().clock() : InstantSource.system();
    }

    /** Returns the address of the server. */
    public URI url() {
        List<URI> all = urls();
        if (all.size() > 1) {
            throw new ParameterException(command.commandLine(), URL + " must be one address, is " + all);
        }
        return all.isEmpty() ? DEFAULT_URL : all.getFirst();
    }

    /** Returns the addresses of all servers that were named or found; there may be none. */
    public List<URI> urls() {
        URI kept = isOnCommandLine(URL) || !isDataDirOfInstance() ? null : folder().keptUrl();
        List<URI> all = kept != null && (isOnCommandLine(DATA_DIR) || urls.isEmpty()) ? List.of(kept) : urls;
        all.forEach(ConnectionOptions::expectHttp);
        return all;
    }

    /** @throws CommandFailed if there is no key */
    public String key() {
        String found = keyIfAny();
        if (found == null) {
            throw new CommandFailed("no admin key: give --key, --key-file, or --data-dir of a standalone; there is no "
                    + folder().keyFile());
        }
        return found;
    }

    /** Returns null if there is no key. */
    public @Nullable String keyIfAny() {
        GivenKey given = givenKey();
        return given == null ? folder().keptKey() : given.value();
    }

    /** Returns a shell expression for the key, for command lines to be pasted; the key itself is not shown. */
    public String keyForShell() {
        GivenKey given = givenKey();
        if (given == null) {
            return "$(cat " + folder().keyFile() + ")";
        }
        return given.file() == null ? "$LAUREL_KEY" : "$(cat " + given.file() + ")";
    }

    /** Creates a client of the server with the key; the caller closes it. */
    public AdminApiClient calls() {
        return new AdminApiClient(url(), key(), trust.tls());
    }

    /** Returns the certificates to trust. */
    public TrustOption trust() {
        return trust;
    }

    /** @throws CommandFailed if no Kafka was given and none is found, or it may be that of another instance */
    public KafkaAccess kafka() {
        String kept = isOnCommandLine(KAFKA) ? null : folder().keptKafkaAddress();
        if (kafka != null && (kept == null || !isOnCommandLine(DATA_DIR))) {
            return kafkaConfig.at(kafka);
        }
        kafkaConfig.expectNone();
        if (kept == null) {
            throw new CommandFailed("no Kafka: start the standalone, or give its --data-dir, or --kafka of a cluster;"
                    + " there is no " + folder().kafkaAddressFile());
        }
        if (isOnCommandLine(URL) && !isOnCommandLine(DATA_DIR)) {
            expectSameInstance();
        }
        return KafkaAccess.at(kept);
    }

    /** Returns the file with further properties of Kafka clients. */
    public @Nullable Path kafkaConfigFile() {
        return kafkaConfig.file;
    }

    /** A server and the Kafka of another instance would mix their data. */
    private void expectSameInstance() {
        URI kept = folder().keptUrl();
        if (!isOfSameInstance(kept)) {
            throw new CommandFailed("no Kafka: the standalone in " + dataDir + " is "
                    + (kept == null ? "not known to be" : "at " + kept + " and not") + " the server of " + URL
                    + "; give --kafka or --data-dir of that server too");
        }
    }

    private boolean isOfSameInstance(@Nullable URI kept) {
        return kept != null && urls.stream().anyMatch(url -> isSame(url, kept));
    }

    private static boolean isSame(URI given, URI kept) {
        if (given.getHost() == null || given.getPort() != kept.getPort()) {
            return false;
        }
        try {
            return given.getHost().equals(kept.getHost())
                    || InetAddress.getByName(given.getHost()).isLoopbackAddress()
                            && InetAddress.getByName(kept.getHost()).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }

    private static void expectHttp(URI url) {
        if (!AdminApiClient.isHttp(url)) {
            throw new CommandFailed("--url must be an http or https address, is " + url);
        }
    }

    /** @param file null: the key was not given as a file */
    private record GivenKey(String value, @Nullable Path file) {}

    /** Returns the key from the command line or the environment; null if there is none or the data folder has precedence. */
    private @Nullable GivenKey givenKey() {
        GivenKey typed = givenKey(this::isOnCommandLine);
        boolean isFolderFirst = isOnCommandLine(DATA_DIR) && Files.exists(folder().keyFile());
        return typed != null || isFolderFirst ? typed : givenKey(_ -> true);
    }

    /** @param isTaken whether an option is looked at */
    private @Nullable GivenKey givenKey(Predicate<String> isTaken) {
        GivenKey own = either(KEY, key, keyFile, isTaken);
        return own == null ? either(ADMIN_KEY, adminKey.key, adminKey.file, isTaken) : own;
    }

    private static @Nullable GivenKey either(
            String option, @Nullable String value, @Nullable Path file, Predicate<String> isTaken) {
        Path taken = isTaken.test(option + "-file") ? file : null;
        String given = SecretFile.either(option, isTaken.test(option) ? value : null, taken);
        return given == null ? null : new GivenKey(given, taken);
    }

    private DataDir folder() {
        return new DataDir(dataDir);
    }

    /** Returns whether the option is on the command line; variables are set for several tools. */
    public boolean isOnCommandLine(String option) {
        return command.commandLine().getParseResult().hasMatchedOption(option);
    }
}
