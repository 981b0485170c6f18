package io.angarium.console.internal.http;

import io.angarium.console.internal.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** All calls of the API. Thread-safe. */
public final class RouteTable {
  private final List<ApiRoute> routes;

  /** Takes them; the first one that fits a path is taken. */
  public RouteTable(List<ApiRoute> routes) {
    this.routes = List.copyOf(routes);
  }

  /** A route and the variables of a path. */
  public record Match(ApiRoute route, Map<String, String> variables) {}

  public List<ApiRoute> routes() {
    return routes;
  }

  /**
   * Finds the route of a request.
   *
   * @param path below the API's base, without a slash at its begin
   * @throws Problem if there is none
   */
  public Match match(String method, String path) {
    List<String> parts = List.of(path.split("/", -1));
    TreeSet<String> allowed = new TreeSet<>();
    for (ApiRoute route : routes) {
      Optional<Map<String, String>> variables = route.match(parts);
      if (variables.isPresent()) {
        if (route.method().equals(method)) {
          return new Match(route, variables.get());
        }
        allowed.add(route.method());
      }
    }
    throw allowed.isEmpty()
        ? Problem.unknown("no call has this path; the operator API is described in openapi.json")
        : Problem.wrongMethod(String.join(", ", allowed));
  }
}
