package io.angarium.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart as Helm renders it, and the objects as Kubernetes knows them. */
class HelmChartTest {
  private static final Path CHART = Path.of("helm/angarium-server");

  private static final Map<String, Class<?>> KINDS =
      Map.of(
          "ConfigMap", ConfigMap.class,
          "Deployment", Deployment.class,
          "Service", Service.class,
          "PodDisruptionBudget", PodDisruptionBudget.class);

  /** Fails on a field that an object does not have, which the model would keep. */
  private static final ObjectMapper STRICT =
      new ObjectMapper(new YAMLFactory())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setAnnotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                @Override
                public Boolean hasAnySetter(Annotated member) {
                  return Boolean.FALSE;
                }
              });

  @TempDir private Path folder;

  private static String rendered(Path chart, String... values) {
    TemplateCommand command =
        new Helm(chart).template().withName("centre").withKubeVersion("1.34.0");
    for (String each : values) {
      command.set(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    return command.call();
  }

  private static Map<String, Object> objects(String rendered) throws IOException {
    Map<String, Object> objects = new HashMap<>();
    for (String each : rendered.split("(?m)^---$", -1)) {
      JsonNode tree = STRICT.readTree(each);
      if (tree.isObject()) {
        String kind = tree.path("kind").asText();
        assertThat(KINDS).containsKey(kind);
        assertThat(objects.put(kind, STRICT.readValue(each, KINDS.get(kind)))).isNull();
      }
    }
    return objects;
  }

  private static PodSpec pod(Map<String, Object> objects) {
    return ((Deployment) objects.get("Deployment")).getSpec().getTemplate().getSpec();
  }

  @Test
  void lintHasNothingToSay() {
    LintResult result = new Helm(CHART).lint().strict().call();

    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
    assertThat(result.getMessages()).noneMatch(each -> each.contains("[ERROR]"));
  }

  @Test
  void podsAreSafeAndTheirProbesAskTheServer() throws IOException {
    Map<String, Object> objects = objects(rendered(CHART));
    assertThat(objects).containsOnlyKeys(KINDS.keySet());
    PodSpec pod = pod(objects);
    Container server = pod.getContainers().get(0);

    assertThat(pod.getEnableServiceLinks()).isFalse();
    assertThat(pod.getAutomountServiceAccountToken()).isFalse();
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(ServerImage.USER);
    assertThat(server.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    assertThat(server.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
    assertThat(server.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(server.getReadinessProbe().getHttpGet().getPath())
        .isEqualTo("/actuator/health/readiness");
    for (Probe each : List.of(server.getLivenessProbe(), server.getStartupProbe())) {
      assertThat(each.getHttpGet().getPath()).isEqualTo("/actuator/health/liveness");
      assertThat(each.getHttpGet().getPort().getStrVal()).isEqualTo("http");
    }
    assertThat(server.getImage()).isEqualTo("registry.example.com/" + ServerImage.nameByDefault());
    assertThat(server.getResources().getLimits().get("memory").toString()).isEqualTo("1Gi");
    assertThat(server.getVolumeMounts())
        .extracting(each -> each.getMountPath() + " " + each.getReadOnly())
        .containsExactly("/angarium/config true", "/angarium/secrets true", "/tmp null");
  }

  @Test
  void podIsKilledAfterTheLongestStopAndLeftBeforeItStops() throws IOException {
    Map<String, Object> objects = objects(rendered(CHART));
    PodSpec pod = pod(objects);
    Probe readiness = pod.getContainers().get(0).getReadinessProbe();
    String properties =
        ((ConfigMap) objects.get("ConfigMap")).getData().get("application.properties");
    Duration delay =
        StopTimes.seconds(properties.replaceFirst("(?s).*server\\.stop-delay=(\\w+).*", "$1"));

    assertThat(Duration.ofSeconds(pod.getTerminationGracePeriodSeconds()))
        .isGreaterThanOrEqualTo(StopTimes.longest(delay));
    assertThat(grace(rendered(CHART, "stopDelaySeconds=300")))
        .isGreaterThanOrEqualTo(StopTimes.longest(Duration.ofMinutes(5)));
    assertThat(grace(rendered(CHART, "terminationGracePeriodSeconds=600")))
        .isEqualTo(Duration.ofMinutes(10));
    assertThat(delay)
        .isGreaterThan(
            Duration.ofSeconds(
                (long) readiness.getPeriodSeconds() * readiness.getFailureThreshold()
                    + readiness.getTimeoutSeconds()));
  }

  private static Duration grace(String rendered) throws IOException {
    return Duration.ofSeconds(pod(objects(rendered)).getTerminationGracePeriodSeconds());
  }

  /** A restart of every pod, because callers took all connections for a moment, helps nobody. */
  @Test
  void livenessIsPatient() throws IOException {
    Probe liveness = pod(objects(rendered(CHART))).getContainers().get(0).getLivenessProbe();

    assertThat(liveness.getFailureThreshold() * liveness.getPeriodSeconds())
        .isGreaterThanOrEqualTo(120);
  }

  /** As they are read again from the file: names with brackets and colons, and large numbers. */
  @Test
  void propertiesAreThoseThatWereGiven() throws IOException {
    Path values = folder.resolve("values.yaml");
    Files.writeString(
        values,
        """
        properties:
          "angarium.half.check.allowed-hosts-of.[order-*]": "*.orders.example"
          "angarium.half.check.allowed-hosts-of.[a/b:1].more": c:d=e
          "angarium.server.undecided-max": 1000000
          "server.tomcat.max-connections": 4096
          "angarium.half.check.enabled": false
        """);
    String rendered =
        new Helm(CHART).template().withKubeVersion("1.34.0").withValuesFile(values).call();
    Properties read = new Properties();
    read.load(
        new StringReader(
            ((ConfigMap) objects(rendered).get("ConfigMap"))
                .getData()
                .get("application.properties")));

    assertThat(read)
        .containsEntry("angarium.half.check.allowed-hosts-of.[order-*]", "*.orders.example")
        .containsEntry("angarium.half.check.allowed-hosts-of.[a/b:1].more", "c:d=e")
        .containsEntry("angarium.server.undecided-max", "1000000")
        .containsEntry("server.tomcat.max-connections", "4096")
        .containsEntry("angarium.half.check.enabled", "false");
  }

  @Test
  void serviceSaysWhetherItSpeaksTls() throws IOException {
    Service service = (Service) objects(rendered(CHART, "probeScheme=HTTPS")).get("Service");

    assertThat(service.getSpec().getPorts().get(0).getAppProtocol()).isEqualTo("https");
  }

  @Test
  void waysInAreOpenedWhereTheyAreSwitchedOn() throws IOException {
    assertThat(ports(objects(rendered(CHART)))).containsExactly("http");
    Map<String, Object> objects =
        objects(rendered(CHART, "grpc.enabled=true", "dubbo.enabled=true"));

    assertThat(ports(objects)).containsExactly("http", "grpc", "dubbo");
    assertThat(pod(objects).getContainers().get(0).getPorts())
        .extracting(each -> each.getName() + " " + each.getContainerPort())
        .containsExactly("http 8090", "grpc 9090", "dubbo 20880");
    assertThat(((ConfigMap) objects.get("ConfigMap")).getData().get("application.properties"))
        .contains("angarium.server.grpc.enabled=true\n", "angarium.server.dubbo.enabled=true\n");
  }

  private static List<String> ports(Map<String, Object> objects) {
    return ((Service) objects.get("Service"))
        .getSpec().getPorts().stream().map(ServicePort::getName).toList();
  }

  @Test
  void secretsAreReadFromFilesAndAreInNoOtherObject() throws IOException {
    PodSpec pod = pod(objects(rendered(CHART, "secret=keys")));

    assertThat(pod.getVolumes().get(1).getSecret().getSecretName()).isEqualTo("keys");
    assertThat(pod.getContainers().get(0).getEnv())
        .extracting(EnvVar::getName)
        .containsExactly("JDK_JAVA_OPTIONS", "SPRING_CONFIG_IMPORT");
  }

  @ParameterizedTest
  @CsvSource({
    "replicas=0, replicas",
    "replica=2, replica",
    "javaOptions=-Xms1g, javaOptions",
    "stopDelaySeconds=5s, stopDelaySeconds",
    "properties.spring\\.datasource\\.password=x, put it into the Secret angarium-server",
    "properties.server\\.ssl\\.keyStorePassword=x, server.ssl.keyStorePassword is a secret",
    "properties.spring\\.kafka\\.properties\\.sasl\\.jaas\\.config=x, sasl.jaas.config is a secret",
    "properties.angarium\\.half\\.check\\.secrets\\.order=x, check.secrets.order is a secret",
    "properties.angarium\\.half\\.check\\.authorizations\\.pay=x, authorizations.pay is a secret",
    "properties.server\\.port=80, server.port cannot be set",
    "properties.server\\.address=::1, server.address cannot be set",
    "properties.management\\.server\\.port=81, management.server.port cannot be set",
    "properties.management\\.endpoints\\.web\\.base-path=/m, base-path cannot be set",
    "properties.server\\.servlet\\.contextPath=/m, contextPath cannot be set",
    "properties.angarium\\.server\\.dubbo\\.host=127.0.0.1, dubbo.host cannot be set",
    "properties.angarium\\.server\\.stop-delay=9s, set stopDelaySeconds",
    "properties.a b=1, a b",
    "probeScheme=http, probeScheme"
  })
  void wrongValuesAreRefusedByName(String value, String named) {
    assertThatThrownBy(() -> rendered(CHART, value)).hasMessageContaining(named);
  }

  /** That this test would see it. */
  @Test
  void fieldThatKubernetesDoesNotKnowIsAFault() throws IOException {
    try (Stream<Path> files = Files.walk(CHART)) {
      for (Path each : files.toList()) {
        Files.copy(
            each, folder.resolve(CHART.relativize(each)), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path deployment = folder.resolve("templates/deployment.yaml");
    Files.writeString(
        deployment,
        Files.readString(deployment).replace("enableServiceLinks:", "enableServiceLink:"));

    assertThatThrownBy(() -> objects(rendered(folder))).hasMessageContaining("enableServiceLink");
  }
}
