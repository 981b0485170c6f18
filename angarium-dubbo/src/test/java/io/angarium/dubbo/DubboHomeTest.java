package io.angarium.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.dubbo.metadata.ServiceNameMapping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dubbo leaves nothing below the home folder. */
class DubboHomeTest {
  private static final String HOME = "user.home";
  private static final String FOLDER = "dubbo.mapping.cache.filePath";

  private final String homeBefore = System.getProperty(HOME);
  @TempDir private Path home;

  @BeforeEach
  void moveHome() {
    System.setProperty(HOME, home.toString());
  }

  @AfterEach
  void moveBack() {
    System.setProperty(HOME, homeBefore);
    System.clearProperty(FOLDER);
  }

  @Test
  void nothingIsCreatedBelowTheHomeFolder() {
    try (DubboApplication application = DubboApplication.open("home")) {
      ServiceNameMapping.getDefaultExtension(application.module().getApplicationModel());

      assertThat(home).isEmptyDirectory();
      assertThat(System.getProperty(FOLDER)).isNull();
    }
  }

  @Test
  void folderOfTheUserIsUsed() {
    Path chosen = home.resolve("chosen");
    System.setProperty(FOLDER, chosen.toString());

    try (DubboApplication application = DubboApplication.open("home")) {
      ServiceNameMapping.getDefaultExtension(application.module().getApplicationModel());

      assertThat(chosen).isDirectory();
      assertThat(System.getProperty(FOLDER)).isEqualTo(chosen.toString());
    }
  }
}
