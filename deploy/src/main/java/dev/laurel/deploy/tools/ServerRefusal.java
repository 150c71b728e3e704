package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.serde.Json;
import java.net.URI;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** An answer of a server that a command cannot go on with, in words for people. */
public final class ServerRefusal {

    private ServerRefusal() {}

    /** @param path that was asked for */
    public static CommandFailed of(URI server, String path, int status, byte[] body) {
        return new CommandFailed(switch (status) {
            case 401 -> server + " does not accept the key (401); give the admin key with --key";
            case 403 -> "the key must not do this on " + server + " (403); an admin key is needed";
            case 404 -> server + " has no " + path + " (404); is --url the address of a Laurel server?";
            default -> server + " answered " + status + ": " + errorOf(body);
        });
    }

    /** What the body says under {@code error}. */
    public static String errorOf(byte[] body) {
        try {
            return Json.read(body, JsonNode.class).path("error").asString("no reason given");
        } catch (JacksonException _) {
            return "no reason given";
        }
    }
}
