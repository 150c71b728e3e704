package dev.laurel.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.serde.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The files of a folder of pages as they are served: {@code index.html}, and what it names and what that imports in turn. Each
 * file has a hash of its content in its name. Names in the files are replaced accordingly, so that browsers need no import map,
 * which would be an inline script. Bare names, such as {@code lit}, are looked up in the import maps that the libraries bring.
 * A script that other pages import is also served under its own name. Everything is in memory, compressed; there are as many
 * files as there are in the jars. Immutable.
 */
final class ConsoleFiles {

    private static final String OWN = "dev/laurel/";
    private static final String LIBRARIES = "META-INF/resources";
    private static final String IMPORT_MAP = "META-INF/importmap.json";

    /** {@code import … from 'x'}, {@code export … from 'x'}, {@code import 'x'} and {@code import('x')}, also minified. */
    private static final Pattern IMPORT = Pattern.compile("(\\b(?:from|import)\\s*(\\(?)\\s*)([\"'])([^\"'\\s]+)\\3");

    /** A file that the page names. */
    private static final Pattern LINK = Pattern.compile("(\\b(?:href|src)=\")([^\":]+\\.(?:js|css|svg))\"");

    /** Comments that fill whole lines. */
    private static final Pattern COMMENT =
            Pattern.compile("(?m)^[ \\t]*(?:(?>/\\*(?s:.*?)\\*/)[ \\t]*$|//.*$)(?:\\R)?");

    private static final Pattern LICENCE = Pattern.compile("(?i)licen[cs]e|copyright|^\\s*/\\*!");

    private static final String END_OF_HEAD = "</head>";

    private static final int HASH_LENGTH = 12;
    private static final Map<String, String> TYPES = Map.of(
            "html",
            "text/html; charset=utf-8",
            "js",
            "text/javascript; charset=utf-8",
            "css",
            "text/css; charset=utf-8",
            "svg",
            "image/svg+xml");

    /**
     * @param type the media type
     * @param hash of the content
     */
    record ConsoleFile(String type, byte[] gzipped, String hash) {

        private static ConsoleFile of(String name, byte[] content) {
            return new ConsoleFile(typeOf(name), ConsoleFiles.gzipped(content), ConsoleFiles.hash(content));
        }
    }

    /**
     * A file with its final content.
     *
     * @param served the name under which it is served
     * @param needs the names of all scripts that it loads before it runs
     */
    private record Prepared(String served, Set<String> needs) {}

    private final String folder;
    private final Map<String, String> importMap;
    private final Map<String, Prepared> prepared = new HashMap<>();
    private final Set<String> inProgress = new LinkedHashSet<>();
    private final Map<String, ConsoleFile> files = new LinkedHashMap<>();
    private final ConsoleFile page;

    private ConsoleFiles(String folder, List<String> modules) {
        this.folder = OWN + folder + "/";
        importMap = importMap();
        page = ConsoleFile.of("index.html", page(text(this.folder + "index.html")));
        modules.forEach(name -> files.put(name, ConsoleFile.of(name, module(this.folder + name))));
    }

    /**
     * @param folder name of the folder, next to this package
     * @param modules names of the scripts that other pages import, and which keep their names
     * @throws IllegalStateException if a file names one that does not exist, or scripts import each other in a circle
     */
    static ConsoleFiles read(String folder, String... modules) {
        return new ConsoleFiles(folder, List.of(modules));
    }

    ConsoleFile page() {
        return page;
    }

    /** @return null if there is no file of this name */
    @Nullable
    ConsoleFile file(String name) {
        return files.get(name);
    }

    /** By the name under which they are served. */
    Map<String, ConsoleFile> all() {
        return Collections.unmodifiableMap(files);
    }

    /** The page with the names of its files, and with those of all scripts, which browsers then load at the same time. */
    private byte[] page(String html) {
        var needs = new LinkedHashSet<String>();
        String named = LINK.matcher(html).replaceAll(link -> {
            Prepared file = prepare(folder + link.group(2));
            needs.addAll(file.needs());
            return Matcher.quoteReplacement(link.group(1) + file.served() + "\"");
        });
        String preloads = needs.stream()
                .map(name -> "<link rel=\"modulepreload\" href=\"" + name + "\">\n")
                .collect(Collectors.joining());
        return named.replace(END_OF_HEAD, preloads + END_OF_HEAD).getBytes(UTF_8);
    }

    /** The script, and before it the names of all that it needs, which browsers then load at the same time. */
    private byte[] module(String path) {
        var needs = new LinkedHashSet<String>();
        String content = new String(script(path, needs), UTF_8);
        return (needs.stream().map(name -> "import './" + name + "';\n").collect(Collectors.joining()) + content)
                .getBytes(UTF_8);
    }

    private Prepared prepare(String path) {
        Prepared known = prepared.get(path);
        if (known != null) {
            return known;
        }
        if (!inProgress.add(path)) {
            throw new IllegalStateException("these import each other in a circle: " + inProgress);
        }
        var needs = new LinkedHashSet<String>();
        byte[] content = path.endsWith(".js") ? script(path, needs) : bytes(path);
        inProgress.remove(path);
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        String served = name.substring(0, dot) + "-" + hash(content) + name.substring(dot);
        files.put(served, ConsoleFile.of(name, content));
        var file = new Prepared(served, needs);
        prepared.put(path, file);
        return file;
    }

    private byte[] script(String path, Set<String> needs) {
        return IMPORT.matcher(withoutComments(text(path)))
                .replaceAll(found -> {
                    Prepared file = prepare(resolve(path, found.group(4)));
                    if (found.group(2).isEmpty()) { // not loaded later, by import()
                        needs.addAll(file.needs());
                        needs.add(file.served());
                    }
                    return Matcher.quoteReplacement(
                            found.group(1) + found.group(3) + "./" + file.served() + found.group(3));
                })
                .getBytes(UTF_8);
    }

    /** A script without its comments, which are more than a quarter of some libraries; licences stay. */
    private static String withoutComments(String script) {
        return COMMENT.matcher(script)
                .replaceAll(comment ->
                        LICENCE.matcher(comment.group()).find() ? Matcher.quoteReplacement(comment.group()) : "");
    }

    /** The path of the resource that {@code name} means in the script {@code from}. */
    private String resolve(String from, String name) {
        if (name.startsWith(".")) {
            return Path.of(from).resolveSibling(name).normalize().toString().replace('\\', '/');
        }
        String known = importMap.keySet().stream()
                .filter(key -> name.equals(key) || key.endsWith("/") && name.startsWith(key))
                .max(Comparator.comparingInt(String::length))
                .orElseThrow(() -> new IllegalStateException(from + " imports " + name + ", which no library has"));
        return LIBRARIES + importMap.get(known) + name.substring(known.length());
    }

    /** The paths of the libraries' scripts by the names or beginnings of names that scripts import. */
    static Map<String, String> importMap() {
        try {
            var all = new HashMap<String, String>();
            for (URL map : Collections.list(ConsoleFiles.class.getClassLoader().getResources(IMPORT_MAP))) {
                try (InputStream in = map.openStream()) {
                    Json.read(in.readAllBytes(), JsonNode.class)
                            .get("imports")
                            .properties()
                            .forEach(entry ->
                                    all.put(entry.getKey(), entry.getValue().stringValue()));
                }
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the import maps", e);
        }
    }

    private static String text(String path) {
        return new String(bytes(path), UTF_8);
    }

    private static byte[] bytes(String path) {
        try (InputStream in = ConsoleFiles.class.getClassLoader().getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("there is no file " + path);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    private static String typeOf(String name) {
        return TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(content))
                    .substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static byte[] gzipped(byte[] content) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }
}
