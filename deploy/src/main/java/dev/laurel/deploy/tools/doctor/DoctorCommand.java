package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.platform.kafka.KafkaAccess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Examines a deployment from outside: collects facts, evaluates them, and prints the findings. */
@Command(
        name = "doctor",
        description = {
            "Examine a deployment and show what to fix.",
            "One line for each check: ok, warn or fail, and the command or setting that fixes it. Exit code 1 if one"
                    + " failed."
        })
public final class DoctorCommand extends ToolCommand {

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the findings as JSON to FILE, or to stdout with '-' instead of the lines.")
    private @Nullable String json;

    @Option(
            names = "--read-only",
            fallbackValue = "true",
            description = "Do not check the clocks of brokers, for which a topic is created and deleted.")
    private boolean readOnly;

    @Override
    protected int work() {
        KafkaAccess access = connection.kafka();
        String adminKey = connection.keyIfAny();
        Path kafkaConfig = connection.kafkaConfigFile();
        Diagnosis diagnosis = Diagnosis.examine(
                access,
                readOnly,
                kafkaConfig == null ? null : kafkaConfig.toString(),
                servers(adminKey),
                adminKey == null ? null : Facts.KeyFacts.of(adminKey),
                connection.dataDir());
        report(diagnosis);
        return diagnosis.status() == Status.fail ? 1 : 0;
    }

    private List<Facts.ServerFacts> servers(@Nullable String adminKey) {
        var servers = new ArrayList<Facts.ServerFacts>();
        for (URI url : connection.urls()) {
            try (var calls =
                    new AdminApiClient(url, adminKey, connection.trust().tls())) {
                servers.add(new ServerInspector(calls, adminKey != null).gather());
            }
        }
        return servers;
    }

    private void report(Diagnosis diagnosis) {
        if ("-".equals(json)) {
            out().println(diagnosis.json());
        } else {
            out().print(diagnosis.lines());
            if (json != null) {
                write(Path.of(json), diagnosis.json() + "\n");
            }
        }
    }
}
