package io.angarium.tests.spring;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;

/** An order as MyBatis sees it. */
@Mapper
interface OrderMapper {
  @Insert("INSERT INTO orders (id, state) VALUES (#{id}, 'new')")
  void insert(long id);
}
