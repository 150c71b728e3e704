package dev.laurel.deploy.artifacts;

import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;

/** The files of this module for operators, in the source tree. */
final class DeployFiles {

    private DeployFiles() {}

    static Path path(String name) {
        return Path.of(name);
    }

    static String text(String name) {
        return text(path(name));
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns every document of a YAML file. Resolves aliases and merge keys, and refuses duplicate keys. */
    static List<JsonNode> yaml(Path file) {
        var settings = LoadSettings.builder()
                .setLabel(file.toString())
                .setSchema(new CoreSchema())
                .setAllowDuplicateKeys(false)
                .setParseComments(false)
                .build();
        var documents = new ArrayList<JsonNode>();
        for (Object document : new Load(settings).loadAllFromString(text(file))) {
            documents.add(Json.mapperForTools().valueToTree(document));
        }
        return documents;
    }

    /** Returns every YAML file below a folder, in the order of their names. */
    static List<Path> yamlFiles(String folder) {
        try (Stream<Path> files = Files.walk(path(folder))) {
            return files.filter(file -> file.getFileName().toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
