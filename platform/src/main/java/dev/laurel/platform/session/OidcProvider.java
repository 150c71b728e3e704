package dev.laurel.platform.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.platform.session.SessionToken.Holder;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The provider of OpenID Connect, with the authorization code flow and PKCE: sends people there, exchanges the code with which they come
 * back, and checks the ID token. Asks the provider for nothing before the first sign-in, so that its absence prevents no start.
 * Thread-safe; calls block.
 */
final class OidcProvider implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_BYTES = 1024 * 1024;

    /** The time after which the endpoints are read again. Keys are kept for minutes, and read again for an unknown one. */
    private static final Duration METADATA_LIFE = Duration.ofHours(1);

    /** No secret is shared by which others could sign. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_GROUPS = 10_000;

    /** The maximum number of simultaneous calls of the provider. */
    private static final int MAX_CALLS = 32;

    private final Semaphore calls = new Semaphore(MAX_CALLS);
    private final OidcSettings settings;
    private final InstantSource clock;
    private final OutboundHttp http = new OutboundHttp(HttpClient.Version.HTTP_2, CONNECT_TIMEOUT, null);
    private volatile @Nullable Metadata known;

    /**
     * What the provider says about itself.
     *
     * @param takesBasic whether the client secret is sent in the header, not in the body
     */
    private record Metadata(
            URI authorization, URI token, JWKSource<SecurityContext> keys, boolean takesBasic, Instant read) {}

    /** The outcome of a sign-in at the provider. */
    sealed interface Outcome {

        record Known(Holder.Person person) implements Outcome {}

        /** @param reason for people */
        record Refused(String reason) implements Outcome {}
    }

    /** The provider cannot be reached, or does not answer as one. The message is for operators. */
    static final class UnavailableException extends Exception {

        UnavailableException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** @param clock gives the time of day */
    OidcProvider(OidcSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** The address to which the browser is sent. */
    URI authorization(SignInState state) throws UnavailableException {
        URI endpoint = metadata().authorization();
        var query = new LinkedHashMap<String, String>();
        query.put("response_type", "code");
        query.put("client_id", settings.clientId());
        query.put("redirect_uri", settings.redirectUri().toString());
        query.put("scope", String.join(" ", settings.scopes()));
        query.put("state", state.state());
        query.put("nonce", state.nonce());
        query.put("code_challenge", state.challenge());
        query.put("code_challenge_method", "S256");
        return URI.create(endpoint + (endpoint.getRawQuery() == null ? "?" : "&") + form(query));
    }

    /** Exchanges the code with which a browser came back. */
    Outcome exchange(String code, SignInState state) throws UnavailableException {
        Metadata metadata = metadata();
        HttpResponse<byte[]> response = send(tokenRequest(code, state, metadata));
        if (response.statusCode() == 400 || response.statusCode() == 401) {
            return new Outcome.Refused("The provider did not accept the sign-in. Try again.");
        }
        if (response.statusCode() != 200) {
            throw new UnavailableException("the token endpoint answered " + response.statusCode(), null);
        }
        if (!(object(response.body(), metadata.token()).get("id_token") instanceof String idToken)) {
            throw new UnavailableException("the token endpoint sent no ID token", null);
        }
        try {
            return outcome(checked(idToken, state.nonce(), metadata));
        } catch (BadJOSEException | ParseException _) {
            return new Outcome.Refused("The provider's ID token is not valid.");
        } catch (JOSEException e) {
            throw new UnavailableException("the provider's keys cannot be read: " + e.getMessage(), e);
        }
    }

    private HttpRequest tokenRequest(String code, SignInState state, Metadata metadata) {
        var body = new LinkedHashMap<String, String>();
        body.put("grant_type", "authorization_code");
        body.put("code", code);
        body.put("redirect_uri", settings.redirectUri().toString());
        body.put("code_verifier", state.verifier());
        var request = HttpRequest.newBuilder(metadata.token())
                .header("Accept", "application/json")
                .header("Content-Type", "application/x-www-form-urlencoded");
        String secret = settings.clientSecret();
        if (secret != null && metadata.takesBasic()) {
            String pair = encoded(settings.clientId()) + ":" + encoded(secret);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)));
        } else {
            body.put("client_id", settings.clientId());
            if (secret != null) {
                body.put("client_secret", secret);
            }
        }
        return request.POST(HttpRequest.BodyPublishers.ofString(form(body))).build();
    }

    private JWTClaimsSet checked(String idToken, String nonce, Metadata metadata)
            throws BadJOSEException, ParseException, JOSEException {
        var expected = new JWTClaimsSet.Builder()
                .issuer(settings.issuer().toString())
                .claim("nonce", nonce)
                .build();
        var processor = new DefaultJWTProcessor<SecurityContext>();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, metadata.keys()));
        processor.setJWTClaimsSetVerifier(
                new DefaultJWTClaimsVerifier<>(settings.clientId(), expected, Set.of("sub", "exp", "iat")) {

                    @Override
                    protected Date currentTime() {
                        return Date.from(clock.instant());
                    }
                });
        return processor.process(idToken, null);
    }

    private Outcome outcome(JWTClaimsSet claims) throws ParseException {
        String party = claims.getStringClaim("azp");
        if (party != null && !party.equals(settings.clientId())) {
            return new Outcome.Refused("The provider's ID token is for another application.");
        }
        String subject = claims.getSubject();
        if (subject.isEmpty() || subject.getBytes(UTF_8).length > SessionToken.MAX_TEXT_BYTES) {
            return new Outcome.Refused("The provider's id of this person is empty or too long.");
        }
        OidcSettings.GroupRole role = settings.firstRoleOf(groupsOf(claims));
        return role == null
                ? new Outcome.Refused("None of your groups has a role in Laurel. Ask an administrator for one.")
                : new Outcome.Known(new Holder.Person(subject, nameOf(claims, subject), role.group()));
    }

    private Set<String> groupsOf(JWTClaimsSet claims) {
        return switch (claims.getClaim(settings.groupsClaim())) {
            case String single -> Set.of(single);
            case Collection<?> several ->
                several.stream()
                        .limit(MAX_GROUPS)
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .collect(Collectors.toCollection(HashSet::new));
            case null, default -> Set.of();
        };
    }

    private static String nameOf(JWTClaimsSet claims, String subject) throws ParseException {
        for (String claim : List.of("preferred_username", "email", "name")) {
            if (claims.getClaim(claim) instanceof String name && !name.isBlank()) {
                return name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH));
            }
        }
        return subject.substring(0, Math.min(subject.length(), MAX_NAME_LENGTH));
    }

    private Metadata metadata() throws UnavailableException {
        Metadata present = known;
        if (present == null || clock.instant().isAfter(present.read().plus(METADATA_LIFE))) {
            present = readMetadata();
            known = present;
        }
        return present;
    }

    private Metadata readMetadata() throws UnavailableException {
        String issuer = settings.issuer().toString();
        URI address = URI.create(issuer.replaceFirst("/+$", "") + "/.well-known/openid-configuration");
        Map<String, Object> document = object(get(address), address);
        if (!issuer.equals(document.get("issuer"))) {
            throw new UnavailableException("the issuer in " + address + " is not " + issuer, null);
        }
        URI keys = endpoint(document, "jwks_uri");
        boolean takesBasic = !(document.get("token_endpoint_auth_methods_supported") instanceof List<?> methods)
                || methods.contains("client_secret_basic");
        try {
            return new Metadata(
                    endpoint(document, "authorization_endpoint"),
                    endpoint(document, "token_endpoint"),
                    JWKSourceBuilder.<SecurityContext>create(keys.toURL(), url -> resource(URI.create(url.toString())))
                            .refreshAheadCache(false)
                            .build(),
                    takesBasic,
                    clock.instant());
        } catch (MalformedURLException e) {
            throw new UnavailableException("jwks_uri is not an address", e);
        }
    }

    private static URI endpoint(Map<String, Object> document, String name) throws UnavailableException {
        try {
            if (document.get(name) instanceof String text) {
                URI endpoint = URI.create(text);
                OidcSettings.expectSafe(name, endpoint);
                return endpoint;
            }
        } catch (IllegalArgumentException e) {
            throw new UnavailableException(String.valueOf(e.getMessage()), e);
        }
        throw new UnavailableException("the provider has no " + name, null);
    }

    private Resource resource(URI address) throws IOException {
        try {
            return new Resource(new String(get(address), UTF_8), "application/json");
        } catch (UnavailableException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private byte[] get(URI address) throws UnavailableException {
        HttpResponse<byte[]> response = send(HttpRequest.newBuilder(address)
                .header("Accept", "application/json")
                .build());
        if (response.statusCode() != 200) {
            throw new UnavailableException(address + " answered " + response.statusCode(), null);
        }
        return response.body();
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws UnavailableException {
        // Anybody can begin a sign-in, and a provider that hangs must not collect requests here.
        if (!calls.tryAcquire()) {
            throw new UnavailableException(MAX_CALLS + " calls of the provider are under way", null);
        }
        try {
            return http.send(request, MAX_BYTES, TIMEOUT);
        } catch (IOException | TimeoutException e) {
            throw new UnavailableException(request.uri() + " cannot be reached: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while waiting for " + request.uri(), e);
        } finally {
            calls.release();
        }
    }

    private static Map<String, Object> object(byte[] json, URI source) throws UnavailableException {
        try {
            return Json.readForeignObject(json);
        } catch (BadInputException e) {
            throw new UnavailableException(source + " did not send a JSON object", e);
        }
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    @Override
    public void close() {
        http.close();
    }
}
