package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.access.PeerKey;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates calls between processes of one deployment. Each call has the peer key. A forwarded client request also
 * has the client's own key, which the receiving process checks again.
 */
public final class PeerCalls {

    /** Header with the peer key. In a response, it says that the peer key was refused. */
    public static final String KEY = "X-Laurel-Peer";

    /** Header of a client request that has been forwarded once and must not be forwarded again. */
    public static final String FORWARDED = "X-Laurel-Forwarded";

    /** Response header of an answer from a standby: the number of records that the standby lags behind. */
    public static final String STALE = "X-Laurel-Stale";

    /** Path prefix of the routes for peers, which are not part of a documented API. */
    public static final String PATH = "/internal/";

    private static final String FROM_PEER = "laurel.from-peer";
    private static final String TENANT = "Tenant-ID";

    private PeerCalls() {}

    /**
     * Whether the request comes from a peer.
     *
     * @param key peer key of this deployment; null if it has no peers
     * @throws HttpRefusal 401 if the request needs the peer key and does not have it
     */
    static boolean isFromPeer(Context context, @Nullable PeerKey key) {
        if (!context.path().startsWith(PATH) && !isForwarded(context)) {
            return false;
        }
        if (key == null || !key.matches(context.header(KEY))) {
            context.header(KEY, "refused");
            throw new HttpRefusal(401, "The peer key is not valid.");
        }
        context.attribute(FROM_PEER, true);
        return true;
    }

    /**
     * Checks that the request comes from a peer, in addition to the check of its path.
     * @throws HttpRefusal 401 if the request does not come from a peer
     */
    static void expectPeer(Context context) {
        if (context.attribute(FROM_PEER) == null) {
            throw new HttpRefusal(401, "This is for peers only.");
        }
    }

    /** Whether a peer has forwarded the request. */
    public static boolean isForwarded(Context context) {
        return context.header(FORWARDED) != null;
    }

    /** The tenant that the client named, or null. In a forwarded request, the client's header is percent-encoded. */
    static @Nullable String tenantOf(Context context) {
        String given = RequestParameters.header(context, TENANT);
        return given == null
                ? null
                : RequestParameters.textOf(isForwarded(context) ? URLDecoder.decode(given, ISO_8859_1) : given, TENANT);
    }

    /**
     * The tenant header in the form that {@link #tenantOf} reads from a forwarded request: percent-encoded as a whole, because headers
     * between peers must be ASCII, and earlier versions read this form only.
     */
    public static @Nullable String tenantToForward(Context context) {
        String given = RequestParameters.header(context, TENANT);
        return given == null ? null : URLEncoder.encode(given, ISO_8859_1);
    }

    /** A raw path or query with the characters that are not legal in a URI percent-encoded. */
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
