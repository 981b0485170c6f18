package io.angarium.console.access;

import io.angarium.TimeSource;
import jakarta.servlet.http.HttpServletRequest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets a browser of this machine in that shows a ticket, which is printed at the start and can be
 * used once. Without the ticket, a page from elsewhere could reach the console by a name that it
 * lets point to this machine. Thread-safe.
 */
public final class TicketAccess implements SecretAccess {
  /** How long a ticket can be used. */
  public static final Duration VALID = Duration.ofMinutes(10);

  private static final String NAME = "local";
  private static final int BYTES = 24;
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1", "::1");
  private static final List<String> FORWARDED =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

  private final TimeSource time;
  private final AtomicReference<@Nullable Ticket> ticket = new AtomicReference<>();

  private record Ticket(String text, long issuedNanos) {}

  /** Creates it without a ticket. */
  public TicketAccess(TimeSource time) {
    this.time = time;
  }

  /** A new ticket in the place of the one before. */
  public String issue() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    ticket.set(new Ticket(text, time.nanoTime()));
    return text;
  }

  @Override
  public String way() {
    return "ticket";
  }

  /** Always empty: a browser shows its cookie. */
  @Override
  public Optional<Operator> operator(HttpServletRequest request) {
    return Optional.empty();
  }

  @Override
  public Optional<Operator> ofSecret(HttpServletRequest request, String secret) {
    Ticket issued = ticket.get();
    boolean right =
        issued != null
            && isLocal(request)
            && issued.text().equals(secret)
            && time.nanoTime() - issued.issuedNanos() < VALID.toNanos()
            && ticket.compareAndSet(issued, null);
    return right ? named(NAME) : Optional.empty();
  }

  @Override
  public Optional<Operator> named(String name) {
    return NAME.equals(name) ? Optional.of(Operator.ofAll(NAME, Right.ALL)) : Optional.empty();
  }

  /** Whether a request comes from this machine, under a name of this machine, and by no proxy. */
  public static boolean isLocal(HttpServletRequest request) {
    String host = String.valueOf(request.getHeader("Host")).replaceFirst(":\\d+$", "");
    return LOOPBACK.contains(request.getRemoteAddr())
        && LOCAL_NAMES.contains(host.toLowerCase(Locale.ROOT))
        && FORWARDED.stream().allMatch(each -> request.getHeader(each) == null);
  }
}
