package dev.laurel.schemas.http;

import dev.laurel.schemas.access.PeerKey;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.net.URLEncoder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What processes of one deployment call each other by. A call has the peer key; one that is a client's request handed on has
 * the client's own key, too, which is checked again where it arrives, so that no process has to believe another who asks.
 */
public final class PeerCalls {

    /** Header with the peer key. In an answer: the peer key was refused. */
    public static final String KEY = "X-Laurel-Peer";

    /** Header of a client's request that has been handed on once, and is not to be again. */
    public static final String FORWARDED = "X-Laurel-Forwarded";

    /** Header of an answer from a copy that is so many records behind. */
    public static final String STALE = "X-Laurel-Stale";

    /** Below it are the routes for peers only; no document of an API has them. */
    public static final String PATH = "/internal/";

    private static final String PROVED = "laurel.from-peer";
    private static final String TENANT = "Tenant-ID";

    private PeerCalls() {}

    /**
     * Whether the request is a peer's.
     *
     * @param key of this deployment, null if it has no peers
     * @throws HttpRefusal 401 if the request is for peers, or says that it comes from one, without the key
     */
    static boolean isFromPeer(Context context, PeerKey key) {
        if (!context.path().startsWith(PATH) && !isForwarded(context)) {
            return false;
        }
        if (key == null || !key.matches(context.header(KEY))) {
            context.header(KEY, "refused");
            throw new HttpRefusal(401, "The peer key is not valid.");
        }
        context.attribute(PROVED, true);
        return true;
    }

    /** For the routes of peers: however their address was spelled, nobody else gets there. @throws HttpRefusal 401 */
    public static void expectPeer(Context context) {
        if (context.attribute(PROVED) == null) {
            throw new HttpRefusal(401, "This is for peers only.");
        }
    }

    /** Whether the request has been handed on by a peer. */
    public static boolean isForwarded(Context context) {
        return context.header(FORWARDED) != null;
    }

    /** The tenant that the client has named, null if it has not: a header has to be ASCII on the way to a peer. */
    static String tenantOf(Context context) {
        String given = context.header(TENANT);
        return given == null || !isForwarded(context) ? given : URLDecoder.decode(given, ISO_8859_1);
    }

    /** What {@link #tenantOf} reads. */
    public static String tenantToForward(Context context) {
        String given = context.header(TENANT);
        return given == null ? null : URLEncoder.encode(given, ISO_8859_1);
    }

    /** A path or query as it was sent, in the characters that may be sent. */
    public static String legal(String raw) {
        if (raw.chars().allMatch(PeerCalls::isLegal)) {
            return raw;
        }
        var legal = new StringBuilder(raw.length() + 16);
        raw.codePoints().forEach(c -> {
            if (isLegal(c)) {
                legal.appendCodePoint(c);
            } else {
                legal.append(URLEncoder.encode(Character.toString(c), UTF_8));
            }
        });
        return legal.toString();
    }

    private static boolean isLegal(int c) {
        return c < 128 && (Character.isLetterOrDigit(c) || "/?:@!$&'()*+,;=-._~%".indexOf(c) >= 0);
    }
}
