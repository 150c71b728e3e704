package dev.laurel.platform.session;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A provider of OpenID Connect on the loopback address, which signs in whom the test says. Tests make it misbehave. In a browser,
 * the person has to press {@value #CONTINUE}.
 */
public final class StubProvider implements AutoCloseable {

    public static final String CLIENT = "laurel";
    public static final String SECRET = "s3cret: with % and +";
    public static final String CONTINUE = "Continue";
    static final String CODE = "the-code";

    final ECKey key;
    final Map<String, Object> metadata = new HashMap<>();

    /** What the ID token says about the person. */
    public final JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder();

    private final HttpServer server;

    /** Signs the ID token; tests replace it. */
    Signing signing;

    /** Status of the token endpoint. */
    int tokenStatus = 200;

    /** Fields of the newest request for a token, with {@code Authorization}. */
    Map<String, String> tokenRequest = Map.of();

    private Map<String, String> authorization = Map.of();

    interface Signing {

        String sign(JWTClaimsSet claims) throws JOSEException;
    }

    public StubProvider(Instant now) throws IOException, JOSEException {
        key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String issuer = issuer().toString();
        metadata.putAll(Map.of(
                "issuer",
                issuer,
                "authorization_endpoint",
                issuer + "/authorize?tenant=t",
                "token_endpoint",
                issuer + "/token",
                "jwks_uri",
                issuer + "/keys"));
        claims.issuer(issuer)
                .audience(CLIENT)
                .subject("00u1")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(60)))
                .claim("email", "ida@example.net")
                .claim("groups", List.of("all", "support"));
        signing = all -> signed(all, key);
        server.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, 200, metadata));
        server.createContext("/keys", exchange -> answer(exchange, 200, new JWKSet(key).toJSONObject(true)));
        server.createContext("/token", this::token);
        server.createContext("/authorize", this::signIn);
        server.start();
    }

    static String signed(JWTClaimsSet claims, ECKey key) throws JOSEException {
        JWSSigner signer = new ECDSASigner(key);
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(), claims);
        token.sign(signer);
        return token.serialize();
    }

    public URI issuer() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Signs the person in at the address to which Laurel has sent the browser. */
    void authorize(URI address) {
        authorization = fields(address.getRawQuery());
    }

    /** A parameter of that address. */
    String authorization(String name) {
        return authorization.get(name);
    }

    /** The page to which Laurel sends a browser. */
    private void signIn(HttpExchange exchange) throws IOException {
        authorize(exchange.getRequestURI());
        answer(exchange, 200, "text/html", """
            <!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">
            <main><h1>Provider</h1><a href="%s?code=%s&amp;state=%s">%s</a></main>\
            """.formatted(
                        authorization("redirect_uri"), CODE, authorization("state"), CONTINUE)
                .getBytes(UTF_8));
    }

    private void token(HttpExchange exchange) throws IOException {
        tokenRequest = new HashMap<>(fields(new String(exchange.getRequestBody().readAllBytes(), US_ASCII)));
        tokenRequest.put("Authorization", exchange.getRequestHeaders().getFirst("Authorization"));
        boolean isValid = CODE.equals(tokenRequest.get("code"))
                && challengeOf(tokenRequest.get("code_verifier")).equals(authorization("code_challenge"))
                && authorization("redirect_uri").equals(tokenRequest.get("redirect_uri"));
        if (!isValid || tokenStatus != 200) {
            answer(exchange, isValid ? tokenStatus : 400, Map.of("error", "invalid_grant"));
            return;
        }
        try {
            var all = new JWTClaimsSet.Builder(claims.build());
            if (claims.build().getClaim("nonce") == null) {
                all.claim("nonce", authorization("nonce"));
            }
            answer(
                    exchange,
                    200,
                    Map.of("token_type", "Bearer", "access_token", "x", "id_token", signing.sign(all.build())));
        } catch (JOSEException e) {
            throw new IOException(e);
        }
    }

    private static String challengeOf(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> fields(String form) {
        return Arrays.stream(form.split("&"))
                .map(field -> field.split("=", 2))
                .collect(Collectors.toMap(field -> field[0], field -> URLDecoder.decode(field[1], UTF_8)));
    }

    private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
        answer(exchange, status, "application/json", Json.write(body));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
