package io.angarium.console.access;

import io.angarium.desk.MessageRow;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who is signed in, and what they may do. Immutable.
 *
 * @param name as the audit has it, 1..128 characters
 * @param grants what one of them permits is permitted
 */
public record Operator(String name, List<Grant> grants) {
  /** Copies the list. */
  public Operator {
    grants = List.copyOf(grants);
  }

  /** Somebody with these rights over all messages. */
  public static Operator ofAll(String name, Set<Right> rights) {
    return new Operator(name, List.of(Grant.ofAll(rights)));
  }

  /** The rights over at least some messages. */
  public Set<Right> rights() {
    EnumSet<Right> all = EnumSet.noneOf(Right.class);
    grants.forEach(grant -> all.addAll(grant.rights()));
    return all;
  }

  /** Whether there are messages that they may do this with. */
  public boolean may(Right right) {
    return grants.stream().anyMatch(grant -> grant.rights().contains(right));
  }

  /** Whether they may do this with a message. */
  public boolean may(Right right, MessageRow row) {
    return grants.stream().anyMatch(grant -> grant.rights().contains(right) && grant.covers(row));
  }

  /** Whether they may do this with a message that goes to a destination and is about a business. */
  public boolean may(Right right, String destination, @Nullable String business) {
    return grants.stream()
        .anyMatch(
            grant ->
                grant.rights().contains(right)
                    && grant.coversDestination(destination)
                    && grant.coversBusiness(business));
  }

  /** Whether they may do this with messages of a destination, at least with some businesses. */
  public boolean mayDestination(Right right, String destination) {
    return grants.stream()
        .anyMatch(grant -> grant.rights().contains(right) && grant.coversDestination(destination));
  }

  /** Whether they may do this with half messages of a business and a destination. */
  public boolean mayHalf(Right right, String business, @Nullable String destination) {
    return grants.stream()
        .anyMatch(
            grant ->
                grant.rights().contains(right)
                    && grant.coversBusiness(business)
                    && (destination == null || grant.coversDestination(destination)));
  }

  /** Whether they may do this with every message. */
  public boolean mayAll(Right right) {
    return grants.stream().anyMatch(grant -> grant.rights().contains(right) && grant.coversAll());
  }

  /** The same operator without these rights. */
  public Operator without(Set<Right> taken) {
    return new Operator(
        name,
        grants.stream()
            .map(
                grant ->
                    new Grant(
                        Set.copyOf(
                            grant.rights().stream().filter(r -> !taken.contains(r)).toList()),
                        grant.destinations(),
                        grant.businesses()))
            .toList());
  }
}
